import { newUid } from '@cadmus/model/uid'

// Saves that one action of the user makes one after the other have operation ids with the same end, so that the log tells that they belong
// together.

/** Characters of an operation id before that end, which is random. */
const start = 24

/** An operation id of an action that is named by any other of its ids. */
export function operationIdIn(run: string): string {
  return newUid().slice(0, start) + run.slice(start)
}

export function runOf(operationId: string | null): string | null {
  return operationId === null ? null : operationId.slice(start)
}
