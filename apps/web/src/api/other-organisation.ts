import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { currentOrganisation, sessionStore, type SessionState } from './session-store.ts'

// The organisation that the page works in: the user's own, or the one chosen in the administration.

/** An organisation chosen by an administrator; `licence` is null until loaded. */
type OtherOrganisation = { code: string; licence: SessionState['licence'] }

/** Null in the workspace, and in the administration while no organisation is chosen. */
export const otherOrganisationStore = createStore<{ elsewhere: OtherOrganisation | null }>()(() => ({
  elsewhere: null,
}))

/** Sends all further calls to that organisation; null: to the user's own organisation. */
export function workInOrganisation(code: string | null): void {
  if (otherOrganisation() !== code)
    otherOrganisationStore.setState({ elsewhere: code === null ? null : { code, licence: null } })
}

export function setOtherLicence(licence: NonNullable<SessionState['licence']>): void {
  if (otherOrganisation() === licence.code)
    otherOrganisationStore.setState({ elsewhere: { code: licence.code, licence } })
}

export function otherOrganisation(): string | null {
  return otherOrganisationStore.getState().elsewhere?.code ?? null
}

export function useOtherOrganisation(): string | null {
  return useStore(otherOrganisationStore, ({ elsewhere }) => elsewhere?.code ?? null)
}

/** Code of the organisation of all calls; '' if there is none. */
export function organisationAtWork(): string {
  return otherOrganisation() ?? currentOrganisation()
}

export function useOrganisationAtWork(): string {
  const own = useStore(sessionStore, ({ organisation }) => organisation?.oc ?? '')
  return useOtherOrganisation() ?? own
}

/** The licence of that organisation; null until loaded. */
export function licenceAtWork(): SessionState['licence'] {
  const { elsewhere } = otherOrganisationStore.getState()
  return elsewhere === null ? sessionStore.getState().licence : elsewhere.licence
}

export function useLicence(): SessionState['licence'] {
  const own = useStore(sessionStore, ({ licence }) => licence)
  const elsewhere = useStore(otherOrganisationStore, state => state.elsewhere)
  return elsewhere === null ? own : elsewhere.licence
}
