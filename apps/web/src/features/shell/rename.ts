import { documentOf, type Target } from '../../commands/context.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'

/** Milliseconds to wait for the name field of an opened document. */
const timeout = 5000
export const nameLocked = 'The name cannot be changed here.'

const named = '[data-region=properties] :is([data-property=name], [data-property=foreignKeyTypeAttribute])'

let fromTree = false

/** The name field of the properties panel; a relationship is named by its foreign key. */
export function nameField(): HTMLInputElement | null {
  return document.querySelector('[data-property=name] input, [data-property=foreignKeyTypeAttribute] input')
}

export function toName(): void {
  fromTree = false
  workbench.getState().set({ propertiesOpen: true })
  const end = performance.now() + timeout
  const from = document.activeElement
  // The panel may have been closed, and its code still be loading.
  const poll = () => {
    if (document.activeElement !== from && document.activeElement !== document.body) return
    if (document.querySelector(named)) focusName()
    else if (performance.now() < end) requestAnimationFrame(poll)
  }
  requestAnimationFrame(poll)
}

/** Opens a row's document and focuses its name; Escape returns to the row. */
export function renameNode(target: Target): void {
  const shown = documentOf(target)
  if (!shown) return
  const { open, select, set } = workbench.getState()
  open(shown, { preview: true })
  // Rename the document, not a selection inside it.
  select(tabIdOf(shown), null)
  set({ propertiesOpen: true })
  const end = performance.now() + timeout
  const from = document.activeElement
  const poll = () => {
    // Do not steal the focus if the user has moved on: typing would overwrite the name.
    if (document.activeElement !== from && document.activeElement !== document.body) return
    const isThere = workbench.getState().active === tabIdOf(shown)
    if (isThere && document.querySelector('[data-region=properties] [data-property=name]')) {
      fromTree = nameField() !== null
      if (fromTree) focusName()
      else notify('info', nameLocked)
    } else if (isThere && performance.now() < end) requestAnimationFrame(poll)
  }
  requestAnimationFrame(poll)
}

/** The row whose properties are shown, or the tree row that opened them. */
export function rowBefore(): HTMLElement | null {
  const rows = '[data-region=document] [role=grid] :is(tbody tr, tbody tr *)[tabindex="0"]'
  const node = fromTree ? '[data-region=sidebar] [role=treeitem][tabindex="0"]' : rows
  return document.querySelector<HTMLElement>(node) ?? document.querySelector<HTMLElement>('[data-region=document]')
}

/** Escape no longer returns to the tree once the properties were left. */
export function forgetTree(): void {
  fromTree = false
}

function focusName(): void {
  nameField()?.focus()
  nameField()?.select()
}
