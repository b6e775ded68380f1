DELETE FROM promotions WHERE d = :d
