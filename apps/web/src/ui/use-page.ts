import { useState } from 'react'

/** Which page of a table is shown, and how long pages are. Other rows, by a search or by longer pages, start on the first one. */
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
