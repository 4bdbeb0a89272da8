import type { DocumentKind } from '../../workbench/documents.ts'

export const tourIds = ['onboarding', 'manifest', 'entity', 'sheet', 'diagram', 'publishing'] as const
export type TourId = (typeof tourIds)[number]

export type Tour = {
  id: TourId
  name: string
  /** The document that the tour creates: its kind and the wizard command. */
  makes?: { kind: DocumentKind; command: string; noun: string }
  steps: readonly TourStep[]
}

export type TourStep = {
  title: string
  text: string
  /** Selectors of the target; the first visible one counts. Empty if there is no target. */
  at: readonly string[]
  page?: string
  /** The user performs the step in the product; otherwise the popover has a Next button. */
  waits?: true
  /** Skipped if the target is missing. */
  optional?: true
  /** Shows the created document. */
  shows?: 'result'
  panel?: 'sidebar' | 'properties'
}

/** Selector of a marked control; menus and toolbars are marked with command ids. */
export function tourSelector(name: string): string {
  return `[data-tour="${name}"]`
}
