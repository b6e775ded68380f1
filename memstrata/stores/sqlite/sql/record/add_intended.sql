INSERT INTO intended (path) VALUES (?)
