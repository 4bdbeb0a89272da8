import { messages } from '@cadmus/model/messages'
import { documentKinds, tabIdOf, type DocumentKind, type DocumentRef, type TabId } from './documents.ts'
import type { DocumentState, Workbench } from './workbench.ts'

/** A place in the workspace as in the address, e.g. '/?entity=12&tab=relationships&version=1.0.0'. */
export type Address = { [kind in DocumentKind]?: number | undefined } & DocumentState

/** Search parameters of the workspace: a document, or the request to open the wizard. */
export type WorkspacePlace = Address & { manifestWizard?: 'open' | undefined; unreadable?: string | undefined }

/** Parses a place from an address or from storage; accepts only ids and known values. */
export function placeIn(search: Record<string, unknown>): WorkspacePlace {
  const wrong = documentKinds.find(kind => search[kind] !== undefined && idOf(search[kind]) === undefined)
  return {
    ...addressIn(search),
    ...(search['manifestWizard'] === 'open' ? { manifestWizard: 'open' as const } : {}),
    ...(wrong ? { unreadable: messages.noSuchAddress(wrong, String(search[wrong]).slice(0, 100)) } : {}),
  }
}

/** The valid parts of an address: the id of one known kind, and values of limited length. */
export function addressIn(search: Record<string, unknown>): Address {
  const kind = documentKinds.find(kindOfDocument => idOf(search[kindOfDocument]) !== undefined)
  if (!kind) return {}
  return { [kind]: idOf(search[kind]), ...stateIn(search) }
}

export function addressOf({ tabs, active, shown }: Pick<Workbench, 'tabs' | 'active' | 'shown'>): Address {
  const tab = tabs.find(({ tabId }) => tabId === active)
  if (!tab) return {}
  const { tab: part, version } = shown.get(tab.tabId) ?? {}
  return { [tab.kind]: tab.id, ...(part ? { tab: part } : {}), ...(version ? { version } : {}) }
}

export function documentIn(address: Address): { kind: DocumentKind; id: number; tabId: TabId } | null {
  for (const kind of documentKinds) {
    const id = address[kind]
    if (id !== undefined) return { kind, id, tabId: tabIdOf({ kind, id }) }
  }
  return null
}

let section = { path: '/', search: {} }

/** Sets the section in which documents open: its path and its fixed parameters. */
export function hrefIn(path: string, search: Readonly<Record<string, string>>): void {
  section = { path, search }
}

/** The address of a document, for links that can open in another window. */
export function hrefOf({ kind, id }: Pick<DocumentRef, 'kind' | 'id'>, { tab, version }: DocumentState = {}): string {
  const search = new URLSearchParams({
    ...section.search,
    [kind]: String(id),
    ...(tab ? { tab } : {}),
    ...(version ? { version } : {}),
  })
  return `${section.path}?${search}`
}

/** A canonical text, for comparing addresses. */
export function textOf(address: Address): string {
  return [documentIn(address)?.tabId ?? '', address.tab ?? '', address.version ?? ''].join(' ')
}

/** The display state of a document from an address or from storage. */
export function stateIn(stored: Record<string, unknown>): DocumentState {
  return { ...wordOf('tab', stored), ...wordOf('version', stored) }
}

function idOf(value: unknown): number | undefined {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

function wordOf(name: 'tab' | 'version', stored: Record<string, unknown>): DocumentState {
  const value = stored[name]
  return typeof value === 'string' && /^[\w.+-]{1,100}$/.test(value) ? { [name]: value } : {}
}
