import { limits } from '@cadmus/model/limits'
import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import type { Widths } from '../../workbench/workbench.ts'

const ranges = { properties: limits.propertiesWidth, sidebar: limits.sidebarWidth }
/** Share of the window up to which a side panel is open at first, so that the document keeps more than half. */
const largestShare = 0.22
/** Below this width of the window, side panels lie over the document. */
const narrow = 900

export function storeWidth(panel: keyof Widths, pixels: number): void {
  const widths = { ...workbench.getState().widths, [panel]: pixels }
  workbench.getState().set({ widths })
  storage.writeJson('widths', { ...storedByUser(), [userId()]: widths })
}

/** The user's stored widths, with defaults for missing or invalid ones. `available`: width of the window. */
export function storedWidths(available: number): Widths {
  const stored: unknown = storedByUser()[userId()]
  const widthOf = (panel: keyof Widths) => {
    const { min, max, default: standard } = ranges[panel]
    const pixels = isRecord(stored) ? Number(stored[panel]) : Number.NaN
    if (Number.isFinite(pixels)) return Math.min(max, Math.max(min, pixels))
    const isBeside = available >= narrow
    return isBeside ? Math.max(min, Math.min(standard, Math.round(available * largestShare))) : standard
  }
  return { properties: widthOf('properties'), sidebar: widthOf('sidebar') }
}

function storedByUser(): Record<string, unknown> {
  const stored = storage.readJson('widths')
  return isRecord(stored) ? stored : {}
}

function userId(): string {
  return sessionStore.getState().user?.userId ?? ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
