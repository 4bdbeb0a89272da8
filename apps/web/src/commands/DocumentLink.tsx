import { visibleText } from '@cadmus/model/visible-text'
import type { MouseEvent, ReactNode } from 'react'
import { tip } from '../ui/Tooltip.tsx'
import { hrefOf } from '../workbench/address.ts'
import { workbench } from '../workbench/desk.ts'
import { tabIdOf, type DocumentRef } from '../workbench/documents.ts'
import type { DocumentState, Selection } from '../workbench/workbench.ts'

/** What of a document a link leads to: one of its parts, and a row in it. */
export type DocumentPlace = DocumentState & { row?: { kind: Selection['kind']; uid: string } | undefined }

type DocumentLinkProps = {
  document: DocumentRef
  place?: DocumentPlace
  /** Where the row around it has the focus, the arrow keys and Enter, it is no stop of its own. */
  inRow?: boolean
  /** What it is called where its content says it to nobody. */
  label?: string
  /** Called when it was opened in place: what covers it has to go. */
  onOpen?: (() => void) | undefined
  children: ReactNode
}

/** A link to a document: pressed it opens, with Ctrl or the middle button beside; its address opens in another window. */
export function DocumentLink({ document, place = {}, inRow = false, label, onOpen, children }: DocumentLinkProps) {
  function follow(event: MouseEvent) {
    // Shift opens another window, which is the browser's.
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

/** Opens a document, or puts it beside the shown one, at a place in it. */
export function openAt(document: DocumentRef, { row, ...state }: DocumentPlace, beside = false): void {
  const { open, openBeside, show, select } = workbench.getState()
  const tabId = tabIdOf(document)
  if (beside) openBeside(document)
  else open(document)
  if (row || state.tab || state.version) show(tabId, { ...(row ? { tab: partOf[row.kind] } : {}), ...state })
  if (row) select(tabId, { kind: row.kind, uids: [row.uid], reveal: !beside })
}

/** In which part of an entity's document the rows of a kind are; undefined: the first. */
const partOf: Record<Selection['kind'], string | undefined> = {
  typeAttribute: undefined,
  entityAttribute: 'relationships',
}
