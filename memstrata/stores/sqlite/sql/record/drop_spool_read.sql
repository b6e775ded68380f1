DELETE FROM spool_read WHERE stem = ?
