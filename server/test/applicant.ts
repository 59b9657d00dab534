/** A person that AFA accepts: the fields of a registration except its reference. */
export const applicant = {
  full_name: 'Ama Mensah',
  phone: '0241234567',
  id_type: 'Ghana Card',
  id_number: 'GHA-123456789-0',
  date_of_birth: '1990-05-17',
  region: 'Greater Accra',
  location: 'Madina',
} as const
