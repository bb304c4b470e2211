-- Groups that count no goals: such a game lacks no result.
alter table games add column keeps_result boolean not null default true;
