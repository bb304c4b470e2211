-- The organiser's inbox: what was answered, what was paid back, and all letters in one order. And a
-- log of admin deeds that can be read by who, what and whom, and never be emptied.

-- An answer has the id that its form was given, so that a form sent twice answers once.
create table letter_answers (
  id uuid primary key,
  message_id uuid references support_messages on delete cascade,
  review_id uuid references reviews on delete cascade,
  answer text not null check (length(answer) between 1 and 5000),
  answered_by uuid not null references users,
  answered_at timestamptz not null,
  constraint letter_answers_of_one_letter check (num_nonnulls(message_id, review_id) = 1)
);
create index letter_answers_message on letter_answers (message_id, answered_at);
create index letter_answers_review on letter_answers (review_id, answered_at);

-- The organiser's word that the money was sent back. The credits still go when Stripe tells it.
alter table withdrawals
  add column paid_back_at timestamptz,
  add column paid_back_by uuid references users,
  add constraint withdrawals_paid_back_by_somebody
    check ((paid_back_at is null) = (paid_back_by is null));

-- A letter about a withdrawal knows which one. Of two at one instant, each names its own payment.
alter table support_messages add column withdrawal_id uuid unique references withdrawals;
update support_messages set withdrawal_id = withdrawals.id
from withdrawals join payments on payments.id = withdrawals.payment_id
where support_messages.kind = 'withdrawal'
  and support_messages.user_id = withdrawals.user_id
  and support_messages.created_at = withdrawals.stated_at
  and position(payments.stripe_object_id in support_messages.message) > 0;

drop index support_messages_inbox;
create index support_messages_inbox
  on support_messages (kind, status, created_at desc, id desc);
drop index reviews_inbox;
create index reviews_inbox on reviews (status, created_at desc, id desc);

create index audit_log_actor on audit_log (actor, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_subject on audit_log (subject, id);
create index audit_log_actor_action on audit_log (actor, action, id);
drop index audit_log_created_at;
create index audit_log_period on audit_log (created_at, id);
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();
