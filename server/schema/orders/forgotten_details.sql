-- Hides the numbers, the names and the e-mail addresses in the details of an order, whatever its product.
create function forgotten_details(details jsonb) returns jsonb language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(key,
    case when key in ('phone', 'accountName', 'recipientPhone', 'recipientEmail') and jsonb_typeof(value) = 'string'
      then to_jsonb(masked_number(value #>> '{}')) else value end), '{}')
  from jsonb_each(details)
$$;
