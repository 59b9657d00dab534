-- The end of the quiet hours in which this moment lies; null when it lies in none. The setting is `off` or two times of day
-- such as `21:00-07:00`; Ghana is on UTC all year. Workers call it for each campaign that is due, so a change of the setting
-- counts at once.
create function quiet_until(moment timestamptz) returns timestamptz language sql stable as $$
  select case
      when first < last and clock >= first and clock < last then day + last
      when first > last and clock >= first then day + 1 + last
      when first > last and clock < last then day + last
    end at time zone 'UTC'
  from (
    select split_part(value #>> '{}', '-', 1)::time as first, split_part(value #>> '{}', '-', 2)::time as last,
      (moment at time zone 'UTC')::time as clock, (moment at time zone 'UTC')::date as day
    from settings where name = 'sms_quiet_hours' and value #>> '{}' <> 'off'
  ) as hours
$$;
