SELECT v.* FROM carray(?1) AS wanted CROSS JOIN fact_versions AS v ON v.id = wanted.value
