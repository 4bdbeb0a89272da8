import { visibleText } from '@cadmus/model/display'
import type { MouseEvent, ReactNode } from 'react'
import { tip } from '../ui/Tooltip.tsx'
import { hrefOf } from '../workbench/address.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { tabIdOf, type DocumentRef } from '../workbench/documents.ts'
import type { DocumentState, Selection } from '../workbench/workbench.ts'

/** Target within a document: a tab and a row. */
export type DocumentPlace = DocumentState & { row?: { kind: Selection['kind']; uid: string } | undefined }

type DocumentLinkProps = {
  document: DocumentRef
  place?: DocumentPlace
  /** Inside a row with its own focus and keys the link is not a tab stop. */
  inRow?: boolean
  /** Accessible name, for content without text. */
  label?: string
  /** Called when the link opens in place, so that an overlay can close. */
  onOpen?: (() => void) | undefined
  children: ReactNode
}

/**
 * A link to a document: opens it, or in the background with Ctrl or the middle button; its address can open in
 * another window.
 */
export function DocumentLink({ document, place = {}, inRow = false, label, onOpen, children }: DocumentLinkProps) {
  function follow(event: MouseEvent) {
    // With Shift the browser opens another window.
    if (event.shiftKey || event.button > 1) return
    event.preventDefault()
    const beside = event.ctrlKey || event.metaKey || event.button === 1
    openAt(document, place, beside)
    if (!beside) onOpen?.()
  }
  return (
    <a
      href={hrefOf(document, place)}
      className="link"
      draggable={false}
      tabIndex={inRow ? -1 : undefined}
      aria-label={label === undefined ? undefined : visibleText(label)}
      {...tip(document.path ?? document.name)}
      onClick={follow}
      onAuxClick={follow}
    >
      {typeof children === 'string' ? visibleText(children) : children}
    </a>
  )
}

/** Opens a document, optionally in the background, at a place in it. */
export function openAt(document: DocumentRef, { row, ...state }: DocumentPlace, beside = false): void {
  const { open, openInBackground, show, select } = workbench.getState()
  const tabId = tabIdOf(document)
  if (beside) openInBackground(document)
  else open(document)
  if (row || state.tab || state.version) show(tabId, { ...(row ? { tab: partOf[row.kind] } : {}), ...state })
  if (row) select(tabId, { kind: row.kind, uids: [row.uid], reveal: !beside })
}

/** The tab of an entity that contains rows of each kind; undefined: the first. */
const partOf: Record<Selection['kind'], string | undefined> = {
  typeAttribute: undefined,
  entityAttribute: 'relationships',
}
