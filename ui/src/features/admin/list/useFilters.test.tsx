// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, it } from "vitest";
import { useFilters } from "./useFilters";

it("keeps both of two changes that come before the next drawing", () => {
  const { result } = renderHook(() => ({ ...useFilters(), address: useLocation().search }), {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={["/admin/contents?page=2"]}>{children}</MemoryRouter>
    ),
  });
  act(() => {
    result.current.set({ file: "abc", page: "2" });
    result.current.set({ q: "hearing" });
  });
  expect(result.current.address).toBe("?file=abc&q=hearing");
});
