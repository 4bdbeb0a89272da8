import { firstTexts } from '@cadmus/model/messages/first-load'
import { administratorOf, currentScope, isAdministration } from '../api/scope.ts'
import {
  addressedKinds,
  tabIdOf,
  type AddressedKind,
  type DocumentKind,
  type DocumentRef,
  type TabId,
} from './documents.ts'
import { type DocumentState, stateNames, type Workbench } from './workbench.ts'

/**
 * A place in the workspace as in the address, e.g. '/?entity=12&tab=relationships&version=1.0.0'. `org`: of an
 * administrator, '/admin?org=ACME&entity=12'; without a document, the organisation itself.
 */
export type Address = { org?: string | undefined } & { [kind in AddressedKind]?: number | undefined } & DocumentState

/** Search parameters of the workspace: a document, or the request to open the wizard. */
export type WorkspacePlace = Address & { manifestWizard?: 'open' | undefined; unreadable?: string | undefined }

/** Parses a place from an address; accepts only ids and known values. */
export function placeIn(search: Record<string, unknown>): WorkspacePlace {
  const wrong = addressedKinds.find(kind => search[kind] !== undefined && idOf(search[kind]) === undefined)
  return {
    ...addressIn(search),
    ...(search['manifestWizard'] === 'open' ? { manifestWizard: 'open' as const } : {}),
    ...(wrong ? { unreadable: firstTexts.noSuchAddress(wrong, String(search[wrong]).slice(0, 100)) } : {}),
  }
}

/** Parses a place of an administrator. A document needs an organisation. */
export function administrationPlaceIn(search: Record<string, unknown>): Address {
  const org = search['org']
  if (typeof org !== 'string' || org === '') return {}
  return { org, ...stateIn(search), ...addressIn(search) }
}

/** The valid parts of an address: the id of one known kind, and values of limited length. */
function addressIn(search: Record<string, unknown>): Address {
  const kind = addressedKinds.find(kindOfDocument => idOf(search[kindOfDocument]) !== undefined)
  if (!kind) return {}
  return { [kind]: idOf(search[kind]), ...stateIn(search) }
}

export function addressOf({ tabs, active, shown }: Pick<Workbench, 'tabs' | 'active' | 'shown'>): Address {
  const tab = tabs.find(({ tabId }) => tabId === active)
  return tab ? addressOfDocument(tab, shown.get(tab.tabId)) : organisationAddress()
}

/** The address of a document in the current scope. */
export function addressOfDocument({ kind, id }: Pick<DocumentRef, 'kind' | 'id'>, state: DocumentState = {}): Address {
  return {
    ...organisationAddress(),
    ...(kind === 'organisation' ? {} : { [kind]: id }),
    ...Object.fromEntries(shownNames(state).map(name => [name, state[name]])),
  }
}

/** The sides of a comparison are kept while another tab is shown, but are not part of its address. */
function shownNames(state: DocumentState) {
  return stateNames.filter(name => state[name] && (state.tab === compareTab || !comparedNames.has(name)))
}

/** The inner tab of a document that compares two of its states. */
export const compareTab = 'compare'
const comparedNames: ReadonlySet<string> = new Set(['before', 'after', 'view'])

function organisationAddress(): Address {
  const { organisation } = currentScope()
  return isAdministration() && organisation !== '' ? { org: organisation } : {}
}

/** The section of the current scope. */
export function sectionPath(): '/' | '/admin' {
  return isAdministration() ? '/admin' : '/'
}

export function documentIn(address: Address): { kind: DocumentKind; id: number; tabId: TabId } | null {
  const scope = address.org === undefined ? currentScope() : administratorOf(address.org)
  for (const kind of addressedKinds) {
    const id = address[kind]
    if (id !== undefined) return { kind, id, tabId: tabIdOf({ kind, id }, scope) }
  }
  return address.org === undefined ? null : { ...organisationDocument, tabId: tabIdOf(organisationDocument, scope) }
}

/** The document of the organisation that an administrator works in: one per scope. */
export const organisationDocument = { kind: 'organisation', id: 1 } as const

/** The address of a document, for links that can open in another window. */
export function hrefOf(document: Pick<DocumentRef, 'kind' | 'id'>, state: DocumentState = {}): string {
  const entries = Object.entries(addressOfDocument(document, state)).map(([name, value]) => [name, String(value)])
  return `${sectionPath()}?${new URLSearchParams(entries)}`
}

/** A canonical text, for comparing addresses. */
export function textOf(address: Address): string {
  return [documentIn(address)?.tabId ?? '', ...stateNames.map(name => address[name] ?? '')].join(' ')
}

/** The display state of a document from an address or from storage. */
export function stateIn(stored: Record<string, unknown>): DocumentState {
  return stateNames.reduce<DocumentState>((state, name) => ({ ...state, ...wordOf(name, stored) }), {})
}

function idOf(value: unknown): number | undefined {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

function wordOf(name: keyof DocumentState, stored: Record<string, unknown>): DocumentState {
  const value = stored[name]
  return typeof value === 'string' && /^[\w.+-]{1,100}$/.test(value) ? { [name]: value } : {}
}
