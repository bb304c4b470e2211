-- Teams of a game, which an organiser makes and shows to its players.

-- A row stays when its teams are removed: forms name the version of the teams that they change.
create table game_lineups (
  game_id uuid primary key references games on delete restrict,
  -- The teams of these players can be made again from it.
  seed integer not null check (seed >= 0),
  published_at timestamptz,
  version integer not null default 1
);
create table game_teams (
  game_id uuid not null references game_lineups on delete restrict,
  number smallint not null check (number between 1 and 4),
  bib text not null check (
    bib in ('Yellow', 'Blue', 'Orange', 'Green', 'Red', 'White', 'Black', 'None')
  ),
  primary key (game_id, number),
  -- Checked at the end of a statement, so that one can exchange two colours.
  constraint game_teams_one_bib_each unique (game_id, bib) deferrable
);

-- A booking is in one team of its own game, or in none yet.
alter table bookings
  add column team smallint,
  add constraint bookings_team foreign key (game_id, team)
    references game_teams (game_id, number) on delete set null (team);

-- The scores of a third and a fourth team.
alter table game_results
  add column third_score smallint check (third_score between 0 and 99),
  add column fourth_score smallint check (fourth_score between 0 and 99),
  add constraint game_results_scores check (fourth_score is null or third_score is not null);
