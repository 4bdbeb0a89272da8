type IndexLine = { columns: readonly unknown[]; settings: readonly { key: string }[] }

/** Whether a line of a block `indexes` is a group: one of one column belongs to the column, one of a key to the key. */
export function isGroup({ columns, settings }: IndexLine): boolean {
  return columns.length > 1 && !settings.some(({ key }) => key === 'pk' || key === 'primary key')
}
