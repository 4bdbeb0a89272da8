/** What is said of signing in and out; `messages.session`. */
export const sessionMessages = {
  expiredTitle: 'Session Expired',
  expired: 'Your user session has expired or is invalid. Try to login again.',
  expiredEntered:
    'What is entered in the open dialog would be lost with this tab. Log in in another one, and this one goes on.',
  loginElsewhere: 'Login in another tab',
  accessLostTitle: 'No Access',
  accessLost: (organisation: string) =>
    `You have no subscription in ${organisation} any more. Nothing can be read or saved there.`,
  accessLostKept:
    'These changes are not saved. This browser keeps them, and shows them again once you may work there again:',
  accessLostUnkept:
    'What is entered in an open dialog and what is secret cannot be kept. Stay here to copy it before you leave.',
  redirecting: 'Redirecting...',
  signingIn: 'Signing In...',
  signingOut: 'Signing Out...',
  signedOutHere: 'You are signed out of Cadmus. The identity provider was not told: you may still be signed in there.',
  stateMismatch: 'State Mismatch',
  stateMissing: 'State not found on the URL parameter',
  stateWrong: 'Could not find state session or incorrect state value',
  invalidRequest: 'Invalid Request',
  noSubscription: 'No subscription',
  noSubscriptions:
    "You are not a member of a subscription on any of these organisations. Contact the organisation's administrator to be added, then log out and in again.",
} as const
