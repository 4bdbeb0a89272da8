import { messages } from '@cadmus/model/messages'
import { documentKinds, tabIdOf, type DocumentKind, type DocumentRef, type TabId } from './documents.ts'
import type { DocumentState, Workbench } from './workbench.ts'

/** A place in the workspace as the address has it: '/?entity=12&tab=relationships&version=1.0.0'. */
export type Address = { [kind in DocumentKind]?: number | undefined } & DocumentState

/** What the workspace's address may say: a document, or that the wizard is wanted. */
export type WorkspacePlace = Address & { manifestWizard?: 'open' | undefined; unreadable?: string | undefined }

/** Reads a place in the workspace from an address or from storage: ids and known words only. */
export function placeIn(search: Record<string, unknown>): WorkspacePlace {
  const wrong = documentKinds.find(kind => search[kind] !== undefined && idOf(search[kind]) === undefined)
  return {
    ...addressIn(search),
    ...(search['manifestWizard'] === 'open' ? { manifestWizard: 'open' as const } : {}),
    ...(wrong ? { unreadable: messages.noSuchAddress(wrong, String(search[wrong]).slice(0, 100)) } : {}),
  }
}

/** What of an address means something: one known kind's id, and words of a sane length. */
export function addressIn(search: Record<string, unknown>): Address {
  const kind = documentKinds.find(known => idOf(search[known]) !== undefined)
  if (!kind) return {}
  return { [kind]: idOf(search[kind]), ...stateIn(search) }
}

/** The shown document and how it is shown. */
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

/** Where documents are opened from now on: the workspace, or another section, with what its addresses begin with. */
export function hrefIn(path: string, search: Readonly<Record<string, string>>): void {
  section = { path, search }
}

/** The address of a document, for a link that can be opened in another window. */
export function hrefOf({ kind, id }: Pick<DocumentRef, 'kind' | 'id'>, { tab, version }: DocumentState = {}): string {
  const search = new URLSearchParams({
    ...section.search,
    [kind]: String(id),
    ...(tab ? { tab } : {}),
    ...(version ? { version } : {}),
  })
  return `${section.path}?${search}`
}

/** One text a place, to compare addresses by. */
export function textOf(address: Address): string {
  return [documentIn(address)?.tabId ?? '', address.tab ?? '', address.version ?? ''].join(' ')
}

/** How a document is shown, as an address or the kept desk says it. */
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
