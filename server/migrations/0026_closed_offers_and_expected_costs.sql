-- A supplier that refuses our own request for a package (a wrong code, say) has that offer closed: nothing more is
-- sent there for this package until a person has mended and reopened it. Null: the offer is open.
alter table package_offers
  add column closed_at timestamptz,
  add column closed_because text;

-- Since when an order waits for a mistake of ours to be mended; null: it does not, and never did.
alter table open_orders add column our_mistake_since timestamptz;
create index open_orders_by_our_mistake on open_orders (our_mistake_since) where our_mistake_since is not null;

-- What the attempt should cost in pesewas, as the supplier's price stood when it began; null: nobody could tell.
alter table attempts add column expected_cost bigint;
