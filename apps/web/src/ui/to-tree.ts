/** From the search of a side to the row of its tree, or of its list, that Tab would come to. */
export function toTree(field: HTMLElement): void {
  field.closest('[data-region]')?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
}
