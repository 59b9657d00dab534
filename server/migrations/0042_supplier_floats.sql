-- What lay at a supplier, as it said itself: reads that workers make anyway, kept at most once per interval.
create table supplier_float_reads (
  supplier text not null,
  read_at timestamptz not null default clock_timestamp(),
  float_pesewas bigint not null,
  primary key (supplier, read_at)
);

-- Money that the operator put in at a supplier (above 0) or took out (below 0). A wrong line is made good by another.
create table supplier_float_movements (
  id uuid primary key,
  supplier text not null references suppliers (name),
  amount bigint not null,
  note text not null,
  moved_at timestamptz not null,
  noted_by text not null,
  noted_at timestamptz not null default clock_timestamp(),
  constraint supplier_float_movements_move_something check (amount <> 0)
);
create index supplier_float_movements_by_time on supplier_float_movements (supplier, moved_at);
create trigger supplier_float_movements_are_append_only before update or delete or truncate on supplier_float_movements
  for each statement execute function refuse_to_change_history();

grant select, insert on supplier_float_reads, supplier_float_movements to makola_app;
