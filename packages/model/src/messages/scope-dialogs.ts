import { formatCount, visibleText } from '../display.ts'

const entities = (count: number) => (count === 1 ? '1 entity' : `${formatCount(count)} entities`)
const operations = (count: number) => (count === 1 ? '1 operation' : `${formatCount(count)} operations`)

/** Texts of what is opened beside the scopes of a manifest. */
export const scopeDialogTexts = {
  renameDialog: {
    title: 'Rename Scope Everywhere',
    name: 'New name',
    submit: 'Rename',
    merge: 'Merge',
    where: (scope: string, count: number) =>
      `${visibleText(scope)} is renamed in the configuration and in ${entities(count)}, as one step that can be undone.`,
    shared: (count: number) =>
      `${count === 1 ? 'One of them is' : `${formatCount(count)} of them are`} shared with other manifests, whose configurations are not changed.`,
    merges: (to: string) =>
      `${visibleText(to)} exists already: operations that require either will require ${visibleText(to)}.`,
  },
  removal: {
    title: 'Remove scope',
    text: (scope: string, count: number) =>
      `Remove ${visibleText(scope)} from the configuration and from ${operations(count)}?`,
    opens: (count: number) => `${operations(count)} will then require no scope.`,
    confirm: 'Remove',
  },
  token: {
    title: 'What may this token call?',
    close: 'Close',
    scopes: 'Scopes of the token',
    none: 'None',
    paste: 'Access token',
    pasteHint: 'Decoded in this page only: it is neither sent nor stored, and its signature is not verified.',
    unreadable: 'This is not a JWT whose claims can be read.',
    noClaims: 'The token has no scopes in the claims scope and scp.',
    subject: (subject: string) => `Token of ${visibleText(subject)}.`,
    expired: (when: string) => `It expired on ${when}: the instance refuses it.`,
    sum: (count: number, served: number) => `May call ${formatCount(count)} of ${operations(served)}.`,
    directory: 'Tokens of the user directory carry no scopes: they are the groups of the user.',
  },
} as const
