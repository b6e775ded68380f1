UPDATE passages SET embedded = 0 WHERE embedded = 1
