drop index if exists messages_deleted_before;
