-- The Message-ID of a player's email, to which the next answer refers.
alter table ticket_replies add column mail_id text check (length(mail_id) <= 403);

-- A quote may have had the secret part of an answer's address.
update ticket_replies set body = regexp_replace(body, '\+[0-9a-f]{32}@', '@', 'gi')
where body ~* '\+[0-9a-f]{32}@';
