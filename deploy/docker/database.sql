-- Once, on an empty volume, as the superuser: the role and database of docs/deploy.md, step 2.
\getenv password POSTGRES_PASSWORD
create role kickabout login createdb password :'password';
create database kickabout owner kickabout;
-- The application knows that password too. From now on only the database's own container leads there.
alter role postgres password null;
