import { documentKinds, tabIdOf, type Tab } from './documents.ts'
import type { Tabs } from './tabs.ts'

/** What of the desk outlives a reload: open tabs and the shown one. */
export function toStored(state: Tabs, organisation: string): unknown {
  const tabs = state.tabs.map(tab => ({ kind: tab.kind, id: tab.id, name: tab.name, preview: tab.preview }))
  return { organisation, tabs, active: state.active }
}

/** Reads what toStored wrote; null for anything else, or when it was another organisation's. */
export function fromStored(value: unknown, organisation: string): Tabs | null {
  if (!isRecord(value) || value['organisation'] !== organisation || !Array.isArray(value['tabs'])) return null
  const tabs = value['tabs'].flatMap((entry: unknown) => {
    const tab = tabOf(entry)
    return tab ? [tab] : []
  })
  const active = tabs.find(tab => tab.tabId === value['active']) ?? tabs[0]
  return { tabs, active: active?.tabId ?? null }
}

function tabOf(value: unknown): Tab | null {
  if (!isRecord(value)) return null
  const kind = documentKinds.find(known => known === value['kind'])
  const { id, name, preview } = value
  if (!kind || typeof id !== 'number' || typeof name !== 'string') return null
  return { kind, id, name, preview: preview === true, tabId: tabIdOf({ kind, id }) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
