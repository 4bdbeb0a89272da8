import { limits } from '@cadmus/model/limits'
import { ownSettings, storeOwnSettings } from '../../api/own-settings.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { overlayBelow } from '../../workbench/overlays.ts'
import type { Widths } from '../../workbench/workbench.ts'

const ranges = { properties: limits.propertiesWidth, sidebar: limits.sidebarWidth }
/** Share of the window up to which a side panel is open at first, so that the document keeps more than half. */
const largestShare = 0.22

/** Stores the width of this panel only: the other one still follows the window. */
export function storeWidth(panel: keyof Widths, pixels: number): void {
  const { widths, set } = workbench.getState()
  set({ widths: { ...widths, [panel]: pixels } })
  storeOwnSettings('widths', { [panel]: pixels })
}

/** The user's stored widths, with defaults for missing or invalid ones. `available`: width of the window. */
export function storedWidths(available: number): Widths {
  const stored = ownSettings('widths')
  const widthOf = (panel: keyof Widths) => {
    const { min, max, default: standard } = ranges[panel]
    const pixels = Number(stored[panel])
    if (Number.isFinite(pixels)) return Math.min(max, Math.max(min, pixels))
    const isBeside = available >= overlayBelow[panel]
    return isBeside ? Math.max(min, Math.min(standard, Math.round(available * largestShare))) : standard
  }
  return { properties: widthOf('properties'), sidebar: widthOf('sidebar') }
}
