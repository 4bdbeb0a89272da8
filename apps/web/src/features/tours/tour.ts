import type { DocumentKind } from '../../workbench/documents.ts'

export type TourId = 'onboarding' | 'manifest' | 'entity'

/** A tour as data. */
export type Tour = {
  id: TourId
  name: string
  /** What is made together: by which wizard, and what kind of document shows it. */
  makes?: { kind: DocumentKind; command: string; noun: string }
  steps: readonly TourStep[]
}

export type TourStep = {
  title: string
  text: string
  /** Selectors of what it points at; of several the first one that is in sight. None: it points at nothing. */
  at: readonly string[]
  /** The page of the wizard that it is about. */
  page?: string
  /** The person does it in the product, and the tour follows; otherwise its own button goes on. */
  waits?: true
  /** Passed over where what it points at is not there. */
  optional?: true
  /** Shows what was made, in the document that it was opened as. */
  shows?: 'result'
  /** In which panel it is. */
  panel?: 'sidebar' | 'properties'
}

/** The attribute by which tours find a control. Menus and toolbars have the ids of their commands in it. */
export function mark(name: string): string {
  return `[data-tour="${name}"]`
}
