import type { Tab } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { shownTabs } from '../../workbench/tabs.ts'
import { needsOpen } from './texts.ts'
import type { TourId } from './tour.ts'

/** `tab`: the inner tab that the tour is about. */
type Needed = { kind: 'entity' | 'manifest'; tab?: string }

/** The documents that tours show around in. */
const needed: Partial<Record<TourId, Needed>> = {
  sheet: { kind: 'entity', tab: 'attributes' },
  diagram: { kind: 'manifest', tab: 'diagram' },
  publishing: { kind: 'manifest' },
}

/** The active document, else the last one of its kind. */
function tabOf({ kind }: Needed): Tab | undefined {
  const { tabs, active } = workbench.getState()
  const possible = shownTabs(tabs).filter(tab => tab.kind === kind)
  return possible.find(({ tabId }) => tabId === active) ?? possible.at(-1)
}

/** Why the tour cannot start; false if it can. */
export function whyUnavailable(tour: TourId): string | false {
  const what = needed[tour]
  return what !== undefined && !tabOf(what) && needsOpen[what.kind]
}

/** Shows the document of the tour, and the part of it that the tour is about. */
export function showNeeded(tour: TourId): void {
  const what = needed[tour]
  const tab = what && tabOf(what)
  if (!tab) return
  workbench.getState().activate(tab.tabId)
  if (what.tab !== undefined) workbench.getState().show(tab.tabId, { tab: what.tab })
}
