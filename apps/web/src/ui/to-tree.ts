/** Moves the focus from a side panel's search to the row that Tab would focus. */
export function toTree(field: HTMLElement): void {
  field.closest('[data-region]')?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
}
