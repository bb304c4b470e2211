-- A trigger before updates makes PostgreSQL compute the generated columns of a row again at each of
-- them, whatever has changed: the words by which a player is found took most of the time of a join's
-- debit. After the update it rejects the same (docs/decisions/082).
create or replace trigger profiles_stay_deleted after update of
    first_name, last_name, date_of_birth, email, school_year, major, phone, sports_interests,
    join_message_posted, is_down_to_play, position, nationality, nationality_code,
    profile_picture_url, deleted_at
  on profiles for each row when (old.deleted_at is not null)
  execute function forbid_change_of_deleted_account();
