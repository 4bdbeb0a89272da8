import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { currentOrganisation, sessionStore, type SessionState } from './session-store.ts'

// The organisation that the page works in: the user's own, or the one chosen in the administration.

/** An organisation chosen by an administrator; `licence` is null until loaded. */
type Elsewhere = { code: string; licence: SessionState['licence'] }

/** Null in the workspace, and in the administration while no organisation is chosen. */
export const elsewhereStore = createStore<{ elsewhere: Elsewhere | null }>()(() => ({ elsewhere: null }))

/** Sends all further calls to that organisation; null: to the user's own. */
export function workElsewhere(code: string | null): void {
  if (organisationElsewhere() !== code)
    elsewhereStore.setState({ elsewhere: code === null ? null : { code, licence: null } })
}

/** Sets the licence of the chosen organisation. */
export function licensedElsewhere(licence: NonNullable<SessionState['licence']>): void {
  if (organisationElsewhere() === licence.code) elsewhereStore.setState({ elsewhere: { code: licence.code, licence } })
}

export function organisationElsewhere(): string | null {
  return elsewhereStore.getState().elsewhere?.code ?? null
}

export function useOrganisationElsewhere(): string | null {
  return useStore(elsewhereStore, ({ elsewhere }) => elsewhere?.code ?? null)
}

/** Code of the organisation that calls go to; '' if there is none. */
export function organisationAtWork(): string {
  return organisationElsewhere() ?? currentOrganisation()
}

export function useOrganisationAtWork(): string {
  const own = useStore(sessionStore, ({ organisation }) => organisation?.oc ?? '')
  return useOrganisationElsewhere() ?? own
}

/** The licence of that organisation; null until loaded. */
export function licenceAtWork(): SessionState['licence'] {
  const { elsewhere } = elsewhereStore.getState()
  return elsewhere === null ? sessionStore.getState().licence : elsewhere.licence
}

export function useLicence(): SessionState['licence'] {
  const own = useStore(sessionStore, ({ licence }) => licence)
  const elsewhere = useStore(elsewhereStore, state => state.elsewhere)
  return elsewhere === null ? own : elsewhere.licence
}
