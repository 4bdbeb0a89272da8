import { visibleText } from '@cadmus/model/display'
import { AppWindow, ArrowUpRight, ExternalLink } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { tip } from '../ui/Tooltip.tsx'
import { hrefOf } from '../workbench/address.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { tabIdOf, type DocumentRef } from '../workbench/documents.ts'
import type { DocumentState, Selection } from '../workbench/workbench.ts'

/** Target within a document: a tab and a row, and its column in the sheet. */
export type DocumentPlace = DocumentState & {
  row?: { kind: Selection['kind']; uid: string; column?: string | undefined } | undefined
}

type DocumentLinkProps = {
  document: DocumentRef
  place?: DocumentPlace
  /**
   * Inside a row with its own focus and keys the link is not a tab stop, and a plain click on its text selects the row;
   * its icon and a double click open the document.
   */
  inRow?: boolean
  /** Accessible name, for content without text. */
  label?: string
  /** Called when the link opens in place, so that an overlay can close. */
  onOpen?: (() => void) | undefined
  children: ReactNode
}

/** Pixels of the icon after a link in a row, with its padding. */
export const rowLinkIcon = 24

/**
 * A link to a document: opens it, or in the background with Ctrl or the middle button; its address can open in
 * another window.
 */
export function DocumentLink({ document, place = {}, inRow = false, label, onOpen, children }: DocumentLinkProps) {
  function follow(event: MouseEvent) {
    // With Shift the browser opens another window, except in a row, where Shift extends the selection.
    if ((event.shiftKey && !inRow) || event.button > 1) return
    event.preventDefault()
    const beside = event.ctrlKey || event.metaKey || event.button === 1
    if (inRow && !beside && selectsRow(event)) return
    event.stopPropagation()
    openAt(document, place, beside)
    if (!beside) onOpen?.()
  }
  const text = typeof children === 'string' ? visibleText(children) : children
  return (
    <a
      href={hrefOf(document, place)}
      className={inRow ? 'row-link' : 'link'}
      draggable={false}
      tabIndex={inRow ? -1 : undefined}
      aria-label={label === undefined ? undefined : visibleText(label)}
      {...tip(document.path ?? document.name)}
      onClick={follow}
      onAuxClick={follow}
      onDoubleClick={inRow ? follow : undefined}
    >
      {inRow ? <span>{text}</span> : text}
      {inRow && <ArrowUpRight data-opens size={14} aria-hidden />}
    </a>
  )
}

/** A plain click on the text; a link followed without a pointer opens. */
function selectsRow(event: MouseEvent): boolean {
  const isOnIcon = event.target instanceof Element && event.target.closest('[data-opens]') !== null
  return event.detail === 1 && !isOnIcon
}

/** Opens a document, optionally in the background, at a place in it. */
export function openAt(document: DocumentRef, { row, ...state }: DocumentPlace = {}, beside = false): void {
  const { open, openInBackground, show, select } = workbench.getState()
  const tabId = tabIdOf(document)
  if (beside) openInBackground(document)
  else open(document)
  if (row || Object.values(state).some(Boolean)) show(tabId, { ...(row ? { tab: partOf[row.kind] } : {}), ...state })
  if (!row) return
  const { kind, uid, column } = row
  select(tabId, { kind, uids: [uid], reveal: !beside, ...(column === undefined ? {} : { column }) })
}

/** Menu entries of a row that names a document. */
export function openEntries(document: DocumentRef, label = 'Open'): MenuEntry[] {
  const disabled = document.id < 0 && 'The entity is not in the organisation.'
  return [
    { kind: 'item', id: 'open', label, icon: ExternalLink, disabled, run: () => openAt(document) },
    {
      kind: 'item',
      id: 'beside',
      label: 'Open Beside',
      icon: AppWindow,
      disabled,
      run: () => openAt(document, {}, true),
    },
  ]
}

/** The tab of an entity that contains rows of each kind; undefined: the first. */
const partOf: Record<Selection['kind'], string | undefined> = {
  typeAttribute: undefined,
  entityAttribute: 'relationships',
}
