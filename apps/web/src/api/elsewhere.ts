import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { currentOrganisation, sessionStore, type SessionState } from './session-store.ts'

// In which organisation the page works: the person's own one, or in the administration the one that was chosen there.

/** An organisation in which an administrator works; `licence` is null until it is known. */
type Elsewhere = { code: string; licence: SessionState['licence'] }

/** Null in the workspace, and in the administration while none is chosen. */
export const elsewhereStore = createStore<{ elsewhere: Elsewhere | null }>()(() => ({ elsewhere: null }))

/** From here on every call is answered in that organisation; null: in the person's own. */
export function workElsewhere(code: string | null): void {
  if (organisationElsewhere() !== code)
    elsewhereStore.setState({ elsewhere: code === null ? null : { code, licence: null } })
}

/** What the licence of the organisation that is worked in elsewhere allows. */
export function licensedElsewhere(licence: NonNullable<SessionState['licence']>): void {
  if (organisationElsewhere() === licence.code) elsewhereStore.setState({ elsewhere: { code: licence.code, licence } })
}

export function organisationElsewhere(): string | null {
  return elsewhereStore.getState().elsewhere?.code ?? null
}

export function useOrganisationElsewhere(): string | null {
  return useStore(elsewhereStore, ({ elsewhere }) => elsewhere?.code ?? null)
}

/** The code of the organisation that calls are answered in; '' where there is none. */
export function organisationAtWork(): string {
  return organisationElsewhere() ?? currentOrganisation()
}

export function useOrganisationAtWork(): string {
  const own = useStore(sessionStore, ({ organisation }) => organisation?.oc ?? '')
  return useOrganisationElsewhere() ?? own
}

/** What the licence there allows; null until that is known. */
export function licenceAtWork(): SessionState['licence'] {
  const { elsewhere } = elsewhereStore.getState()
  return elsewhere === null ? sessionStore.getState().licence : elsewhere.licence
}

export function useLicence(): SessionState['licence'] {
  const own = useStore(sessionStore, ({ licence }) => licence)
  const elsewhere = useStore(elsewhereStore, state => state.elsewhere)
  return elsewhere === null ? own : elsewhere.licence
}
