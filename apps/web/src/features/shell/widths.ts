import { limits } from '@cadmus/model/limits'
import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import { workbench } from '../../workbench/desk.ts'
import type { Widths } from '../../workbench/workbench.ts'

const ranges = { properties: limits.propertiesWidth, sidebar: limits.sidebarWidth }

/** Sets the width of a panel and stores it for the signed-in user. */
export function keepWidth(panel: keyof Widths, pixels: number): void {
  const widths = { ...workbench.getState().widths, [panel]: pixels }
  workbench.getState().set({ widths })
  storage.writeJson('widths', { ...keptByUser(), [userId()]: widths })
}

/** The user's stored widths, with defaults for missing or invalid ones. */
export function keptWidths(): Widths {
  const kept: unknown = keptByUser()[userId()]
  const of = (panel: keyof Widths) => {
    const { min, max, default: standard } = ranges[panel]
    const pixels = isRecord(kept) ? Number(kept[panel]) : Number.NaN
    return Number.isFinite(pixels) ? Math.min(max, Math.max(min, pixels)) : standard
  }
  return { properties: of('properties'), sidebar: of('sidebar') }
}

function keptByUser(): Record<string, unknown> {
  const kept = storage.readJson('widths')
  return isRecord(kept) ? kept : {}
}

function userId(): string {
  return sessionStore.getState().user?.userId ?? ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
