-- The Message-ID of a player's email, to which the next answer refers.
alter table ticket_replies add column mail_id text check (length(mail_id) <= 403);

-- A quote may have had the secret part of an answer's address, also percent-encoded or broken
-- across lines, as `withoutTokens` removes it from new ones.
update ticket_replies
set body = regexp_replace(body, '(\+|%2b)([\s\u00a0>]*[0-9a-f]){32}[\s\u00a0>]*(?=@|%40)', '', 'gi')
where body ~* '(\+|%2b)([\s\u00a0>]*[0-9a-f]){32}[\s\u00a0>]*(@|%40)';
