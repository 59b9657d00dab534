export const directoryWords = {
  signIn: 'Sign in with your work account',
  /** By the reason that the server puts into the page's address. */
  refused: {
    too_many: 'Too many tries. Wait a quarter of an hour, or sign in with your password.',
    unreachable: 'The directory of your house does not answer. Try again, or sign in with your password.',
    over: 'The sign-in took too long, or began in another browser. Begin again.',
    declined: 'The directory did not let you in, or you cancelled. Try again, or sign in with your password.',
    failed: 'The directory’s answer was not right. Try again. If it happens again, tell whoever runs this installation.',
    unverified: 'The directory has not confirmed your e-mail. Tell whoever runs the directory.',
    not_allowed: 'The directory knows you, but its people of your domain or group may not sign in here.',
    not_staff: 'The directory knows you, but you are not one of the staff here. Ask an owner to invite you with this e-mail.',
    other_person:
      'The directory knows another person by this e-mail than before. Ask an owner to reset your second factor, which unties you.',
  } as Readonly<Record<string, string>>,
}
