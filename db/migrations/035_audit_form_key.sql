-- What one form recorded: games that are cancelled together have a transaction each, and its key.
create index audit_log_form on audit_log ((details ->> 'formKey'))
  where details ->> 'formKey' is not null;
