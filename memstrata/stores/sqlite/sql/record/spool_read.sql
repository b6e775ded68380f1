SELECT stem, bytes FROM spool_read
