import { useState } from 'react'

/** Current page and page size of a table. A new search or a larger page size returns to the first page. */
export function usePage(pageSize: number, filter: string) {
  const [page, setPage] = useState(0)
  const [size, setLength] = useState(pageSize)
  const [filtered, setFiltered] = useState(filter)
  if (filter !== filtered) {
    setFiltered(filter)
    setPage(0)
  }
  const setSize = (next: number) => {
    setLength(next)
    setPage(0)
  }
  return { page, setPage, size, setSize }
}
