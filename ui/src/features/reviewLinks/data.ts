/** Links to review the captions of a file without an account: for those who make them. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/reviewLinks";

export type ReviewLink = Schemas["ReviewLinkOut"];
export type NewReviewLink = Schemas["NewReviewLink"];
export type Rights = ReviewLink["rights"];

const PATH = "/api/files/{slug}/review-links" as const;

export const RIGHTS: readonly { value: Rights; label: string; about: string }[] = [
  { value: "view", label: t("rights.view"), about: t("rights.viewAbout") },
  { value: "comment", label: t("rights.comment"), about: t("rights.commentAbout") },
  { value: "edit", label: t("rights.edit"), about: t("rights.editAbout") },
];

export const rightsLabel = (rights: Rights): string =>
  RIGHTS.find(({ value }) => value === rights)?.label ?? rights;

/** For how many days a link may work. */
export const DAYS = [1, 7, 14, 30, 90, 365];
export const USUAL_DAYS = 14;
export const PASSWORD_MIN = 6;

export function useReviewLinks(slug: string) {
  const answer = useSWR<ReviewLink[], Error>(
    keys.reviewLinks(slug),
    async () => (await unwrap(api.GET(PATH, { params: { path: { slug } } }))).data,
  );
  const { mutate } = answer;
  /** Both throw an `ApiError` when the server refuses. */
  return {
    ...answer,
    make: async (body: NewReviewLink) => {
      const { data } = await unwrap(api.POST(PATH, { params: { path: { slug } }, body }));
      await mutate(data, { revalidate: false });
    },
    revoke: async (link_id: string) => {
      const params = { path: { slug, link_id } };
      const call = api.DELETE("/api/files/{slug}/review-links/{link_id}", { params });
      await mutate((await unwrap(call)).data, { revalidate: false });
    },
  };
}
