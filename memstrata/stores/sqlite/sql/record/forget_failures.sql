DELETE FROM failures WHERE h = :h AND stage = 'extract'
