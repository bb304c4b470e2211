-- How what people type is compared: full case folding (ß is ss, Þ is th), no accents, and one
-- apostrophe, hyphen and space for all look-alikes. Its twin is `folded` in app/platform/text.ts.
create or replace function folded(words text) returns text language sql immutable parallel safe
  return replace(replace(replace(replace(
    translate(
      lower(regexp_replace(
        normalize(replace(words, U&'\00B4', ''''), NFKD),
        '[\u0300-\u036F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0]+',
        '', 'g')),
      'ÆŒÞẞØøŁłĐđÐðıĦħŦŧŊŋĸƏəƁɓƊɗƘƙƳƴς' || U&'\2010\2011\2012\2013\2014\2015\2212' ||
        U&'\2018\2019\201B\2032\02B9\02BB\02BC`',
      'æœþßoolldddd' || 'ihhttnnkeebbddkkyyσ' || '-------' || ''''''''''''''''''),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

-- Also found without the apostrophes and hyphens of the name: "oneill", "annamaria".
create or replace function player_words(first_name text, last_name text, email text)
  returns tsvector language sql immutable parallel safe
  return array_to_tsvector(
    name_words(first_name || ' ' || last_name || ' ' || split_part(email, '@', 1)) ||
    name_words(translate(folded(first_name || ' ' || last_name), '''-', '')));

-- Names have one apostrophe and single spaces from now on. Each row that is found or sorted by other
-- words than before is written, so that these are computed again. Locked first, in the order in which
-- all that lock several wallets do.
select count(*) from (
  select from profiles where deleted_at is null and first_name || last_name ~ '[^A-Za-z ]|  '
  order by user_id for update) locked;
update profiles set
  first_name = regexp_replace(translate(first_name, U&'\2019\02BC\02BB\02B9', ''''''''''), ' +', ' ', 'g'),
  last_name = regexp_replace(translate(last_name, U&'\2019\02BC\02BB\02B9', ''''''''''), ' +', ' ', 'g')
  where deleted_at is null and first_name || last_name ~ '[^A-Za-z ]|  ';
update sign_ups set
  first_name = regexp_replace(translate(first_name, U&'\2019\02BC\02BB\02B9', ''''''''''), ' +', ' ', 'g'),
  last_name = regexp_replace(translate(last_name, U&'\2019\02BC\02BB\02B9', ''''''''''), ' +', ' ', 'g');

-- Finnish mobile numbers become "+358 40 1234567"; other international ones get the space after
-- their country's code; the rest stays as it was typed, and so does what a space would make too long.
create function spaced_phone(phone text) returns text language sql immutable
  return (
    select case
      when number ~ '^\+358(4\d|50)\d{4,8}$' then regexp_replace(number, '^\+358(..)', '+358 \1 ')
      when phone ~ '^\+\d+$' then regexp_replace(phone,
        '^\+(' || short || '|(?!' || short || ')\d{3})(\d{4,})$', '+\1 \2')
      else phone end
    from (values ('1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]')) codes (short), regexp_replace(regexp_replace(regexp_replace(regexp_replace(
      phone, '\(0\)', ''), '[^0-9+]', '', 'g'), '^00', '+'), '^0(?=4|50)', '+358') number
  );
update profiles set phone = spaced_phone(phone)
  where phone ~ '^[\d +()-]+$' and spaced_phone(phone) <> phone and deleted_at is null
    and length(spaced_phone(phone)) <= 30;
update sign_ups set phone = spaced_phone(phone)
  where phone ~ '^[\d +()-]+$' and spaced_phone(phone) <> phone
    and length(spaced_phone(phone)) <= 30;
drop function spaced_phone(text);
