import { stateIn } from './address.ts'
import { addressedKinds, tabIdOf, type Tab, type TabId } from './documents.ts'
import { shownTabs, type Tabs } from './tabs.ts'
import type { DocumentState, Workbench } from './workbench.ts'

/** Owner of the stored workspace, which others must not see. */
export type Owner = { user: string; organisation: string }
type StoredWorkspace = Tabs & Pick<Workbench, 'shown'>

/** The stored part of the workspace: open tabs, their display state and the active tab. */
export function toStored(state: StoredWorkspace, owner: Owner): unknown {
  const tabs = state.tabs.map(({ kind, id, name, path, preview, hidden, tabId }) => ({
    kind,
    id,
    name,
    path,
    preview,
    hidden,
    ...state.shown.get(tabId),
  }))
  const active = state.tabs.find(tab => tab.tabId === state.active)
  return { ...owner, tabs, active: active ? nameOf(active) : null }
}

/** Parses the output of toStored; null if it is invalid or belongs to another user or organisation. */
export function fromStored(value: unknown, { user, organisation }: Owner): StoredWorkspace | null {
  if (!isRecord(value) || value['organisation'] !== organisation || value['user'] !== user) return null
  if (!Array.isArray(value['tabs'])) return null
  const shown = new Map<TabId, DocumentState>()
  const tabs = value['tabs'].flatMap((entry: unknown) => {
    const tab = tabOf(entry)
    if (tab && isRecord(entry)) shown.set(tab.tabId, stateIn(entry))
    return tab ? [tab] : []
  })
  // Null: the home screen was shown.
  const active =
    value['active'] === null ? null : (tabs.find(tab => nameOf(tab) === value['active']) ?? shownTabs(tabs)[0])
  return { tabs, active: active?.tabId ?? null, shown }
}

function nameOf({ kind, id }: Tab): string {
  return `${kind}:${id}`
}

function tabOf(value: unknown): Tab | null {
  if (!isRecord(value)) return null
  const kind = addressedKinds.find(candidate => candidate === value['kind'])
  const { id, name, path, preview } = value
  if (!kind || typeof id !== 'number' || typeof name !== 'string') return null
  const place = typeof path === 'string' ? { path } : {}
  const hidden = value['hidden'] === true ? { hidden: true } : {}
  return { kind, id, name, ...place, preview: preview === true, ...hidden, tabId: tabIdOf({ kind, id }) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
