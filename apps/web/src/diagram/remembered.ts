import { isRecord } from '@cadmus/model/equal'
import { ownSettings, storeOwnSettings } from '../api/own-settings.ts'
import type { Camera } from './diagram.ts'

/** What the browser remembers of the diagram of a manifest: the view shown last, and where each view was looked at. */
type Remembered = { view?: string; cameras: Record<string, Camera> }

/** Manifests and views beyond these are forgotten, the oldest first. */
const most = { manifests: 40, views: 12 }

export function remembered(manifestId: number): Remembered {
  const stored = ownSettings('diagrams')[`m${manifestId}`]
  if (!isRecord(stored)) return { cameras: {} }
  const { view, cameras } = stored
  const entries = Object.entries(isRecord(cameras) ? cameras : {}).filter(
    (entry): entry is [string, Camera] => isRecord(entry[1]) && ['x', 'y', 'zoom'].every(isNumberIn(entry[1])),
  )
  return { ...(typeof view === 'string' ? { view } : {}), cameras: Object.fromEntries(entries) }
}

export function rememberView(manifestId: number, view: string | undefined): void {
  const { cameras } = remembered(manifestId)
  store(manifestId, { ...(view === undefined ? {} : { view }), cameras })
}

export function rememberCamera(manifestId: number, view: string, camera: Camera): void {
  const before = remembered(manifestId)
  const others = Object.entries(before.cameras).filter(([uid]) => uid !== view)
  store(manifestId, { ...before, cameras: Object.fromEntries([...others, [view, camera]].slice(-most.views)) })
}

function store(manifestId: number, value: Remembered): void {
  const key = `m${manifestId}`
  const names = Object.keys(ownSettings('diagrams')).filter(name => /^m\d+$/.test(name) && name !== key)
  const old = names.slice(0, Math.max(0, names.length + 1 - most.manifests))
  // Removed first, so that the newest comes last.
  storeOwnSettings('diagrams', { ...Object.fromEntries(old.map(name => [name, undefined])), [key]: undefined })
  storeOwnSettings('diagrams', { [key]: value })
}

function isNumberIn(record: Record<string, unknown>) {
  return (name: string) => Number.isFinite(record[name])
}
