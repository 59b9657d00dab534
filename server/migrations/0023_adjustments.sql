-- Two people may also agree on an amount over an order that has ended: above 0 goodwill, below 0 claw-back, in pesewas.
alter table settlement_proposals
  add column amount bigint,
  drop constraint settlement_proposals_outcome_is_known,
  add constraint settlement_proposals_outcome_is_known check (outcome in ('completed', 'failed', 'refunded', 'adjusted')),
  add constraint settlement_proposals_only_adjustments_have_an_amount check ((outcome = 'adjusted') = (amount is not null)),
  add constraint settlement_proposals_amount_is_not_zero check (amount <> 0);
