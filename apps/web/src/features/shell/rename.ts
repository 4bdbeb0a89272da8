import { documentOf, type Target } from '../../commands/context.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'

/** How long a document that is opened for its name may take to come, in milliseconds. */
const patience = 5000
export const nameLocked = 'The name cannot be changed here.'

const named = '[data-region=properties] :is([data-property=name], [data-property=foreignKey])'

let fromTree = false

/** The field of the name of what the properties are about. Of a relationship its foreign key is what it is called. */
export function nameField(): HTMLInputElement | null {
  return document.querySelector('[data-property=name] input, [data-property=foreignKey] input')
}

/** Leads to the name of the shown document, or of what is chosen in it. */
export function toName(): void {
  fromTree = false
  workbench.getState().set({ propertiesOpen: true })
  const end = performance.now() + patience
  const from = document.activeElement
  // The panel may have been closed since the page was loaded, and its code be on its way.
  const look = () => {
    if (document.activeElement !== from && document.activeElement !== document.body) return
    if (document.querySelector(named)) focusName()
    else if (performance.now() < end) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Opens what a row of the tree is about and leads to its name; Escape leads back to the row. */
export function renameNode(target: Target): void {
  const shown = documentOf(target)
  if (!shown) return
  const { open, select, set } = workbench.getState()
  open(shown, { preview: true })
  // Nothing inside it is what F2 was pressed on.
  select(tabIdOf(shown), null)
  set({ propertiesOpen: true })
  const end = performance.now() + patience
  const from = document.activeElement
  const look = () => {
    // Whoever went on to something else meanwhile is not fetched from there: the next keys would overwrite the name.
    if (document.activeElement !== from && document.activeElement !== document.body) return
    const isThere = workbench.getState().active === tabIdOf(shown)
    if (isThere && document.querySelector('[data-region=properties] [data-property=name]')) {
      fromTree = nameField() !== null
      if (fromTree) focusName()
      else notify('info', nameLocked)
    } else if (isThere && performance.now() < end) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** The row that the properties are of, or that one came to them from. */
export function rowBefore(): HTMLElement | null {
  const rows = '[data-region=document] [role=grid] tr[tabindex="0"]'
  const node = fromTree ? '[data-region=sidebar] [role=treeitem][tabindex="0"]' : rows
  return document.querySelector<HTMLElement>(node) ?? document.querySelector<HTMLElement>('[data-region=document]')
}

/** The properties were left for something else: there is no way back to the tree. */
export function forgetTree(): void {
  fromTree = false
}

function focusName(): void {
  nameField()?.focus()
  nameField()?.select()
}
