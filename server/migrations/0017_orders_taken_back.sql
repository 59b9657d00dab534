-- Two people may also propose and confirm that an order which its purchase completed is taken back: `refunded`.
alter table settlement_proposals
  drop constraint settlement_proposals_outcome_is_known,
  add constraint settlement_proposals_outcome_is_known check (outcome in ('completed', 'failed', 'refunded'));
