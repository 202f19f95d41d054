import { Loader } from "@mantine/core";
import { isValidElement, lazy, Suspense, type ComponentType, type ReactElement } from "react";
import { matchRoutes, Navigate, useLocation, useRoutes, type RouteObject } from "react-router";
import { t } from "../../platform/messages/shell";
import { withSentences, type Part } from "../../platform/i18n/loaded";
import { ErrorScreen } from "../../platform/failure/ErrorScreen";
import { KnownPages } from "../../domain/person/signIn";
import { Guard } from "./Guard";
import {
  checkBrowseAs,
  checkId,
  checkReset,
  checkSlug,
  type Check,
  type Fault,
} from "./parameters";
import { reloadOnce } from "./reloadOnce";
import { decodedPath } from "../../platform/api/wellFormed";

type Loaded = { default: ComponentType };

/** Begins to load the code of a page before it renders. */
const starts = new WeakMap<ReactElement, () => void>();

/** A page in its own chunk, with what it says. If a new build has removed the chunk, reload the page. */
function page(load: () => Promise<Loaded>, part: Part = "others"): ReactElement {
  const open = async (): Promise<Loaded> => {
    try {
      return await withSentences(part, load)();
    } catch (error) {
      if (reloadOnce(window.location.pathname)) return { default: () => null };
      throw error;
    }
  };
  let early: Promise<Loaded> | undefined;
  const Page = lazy(() => early ?? open());
  const element = <Page />;
  starts.set(element, () => {
    early = open();
    // The page shows the error when it renders.
    early.catch(() => undefined);
  });
  return element;
}

/** Begin to load the code of the page at this address, its layout included. */
export function startPage(pathname: string): void {
  if (faultOf(pathname) !== undefined) return;
  for (const { route } of matchRoutes(routes, pathname) ?? [])
    if (isValidElement(route.element)) starts.get(route.element)?.();
}

/** The layouts of people who are signed in load with their first page, so that visitors do not wait for them. */
const layout = (name: "DefaultLayout" | "FullPageLayout") =>
  page(async () => ({ default: (await import("../layouts/DefaultLayout"))[name] }), "files");

const notFound: Record<Fault, ReactElement> = {
  unknown: page(() => import("../layouts/NotFoundPage"), "visitor"),
  malformed: page(
    async () => ({ default: (await import("../layouts/NotFoundPage")).MalformedPage }),
    "visitor",
  ),
};

const routes: RouteObject[] = [
  {
    element: <Guard />,
    children: [
      {
        element: page(() => import("../layouts/AuthLayout"), "visitor"),
        children: [
          {
            path: "/login",
            element: page(() => import("../../features/auth/LoginPage"), "signIn"),
          },
          {
            path: "/register",
            element: page(() => import("../../features/auth/RegisterPage"), "signIn"),
          },
          {
            path: "/sign-in/:provider",
            element: page(() => import("../../features/auth/ProviderReturnPage"), "signIn"),
          },
          {
            path: "/onboarding/billing",
            element: page(() => import("../../features/billing/OnboardingPage")),
          },
          {
            path: "/reset/password",
            element: page(() => import("../../features/auth/ForgotPage"), "signIn"),
          },
          {
            path: "/reset/:hash/:email",
            handle: checkReset,
            element: page(() => import("../../features/auth/ResetPage"), "signIn"),
          },
          {
            path: "/email/verification/*",
            element: page(() => import("../../features/auth/VerificationPage"), "signIn"),
          },
          {
            path: "/invitation",
            element: page(() => import("../../features/teams/InvitationPage")),
          },
        ],
      },
      {
        element: layout("DefaultLayout"),
        children: [
          {
            path: "/dashboard",
            element: page(() => import("../../features/files/FilesPage"), "files"),
          },
          {
            path: "/projects",
            element: page(() => import("../../features/files/projects/ProjectsPage")),
          },
          {
            path: "/subscription",
            element: page(() => import("../../features/billing/SubscriptionPage")),
          },
          {
            path: "/glossary",
            element: page(() => import("../../features/glossary/GlossaryPage")),
          },
          { path: "/minutes", element: page(() => import("../../features/ledger/MinutesPage")) },
          { path: "/live", element: page(() => import("../../features/live/LivePage")) },
          { path: "/bin", element: page(() => import("../../features/files/bin/BinPage")) },
          {
            path: "/captions",
            element: page(() => import("../../features/files/FilesPage"), "files"),
          },
          { path: "/settings", element: page(() => import("../../features/account/SettingsPage")) },
          { path: "/teams", element: page(() => import("../../features/teams/TeamsPage")) },
          {
            path: "/teams/:browseAs",
            handle: checkBrowseAs,
            element: page(() => import("../../features/teams/BrowseAsPage")),
          },
        ],
      },
      {
        element: layout("FullPageLayout"),
        children: [
          {
            path: "/live/:slug",
            handle: checkSlug,
            element: page(() => import("../../features/live/RecordingPage")),
          },
          {
            path: "/captions/processing/:slug",
            handle: checkSlug,
            element: page(() => import("../../features/processing/ProcessingPage")),
          },
          {
            path: "/captions/:slug",
            handle: checkSlug,
            element: page(() => import("../../features/captions/CaptionsPage")),
          },
        ],
      },
      {
        element: page(() => import("../layouts/AdminLayout")),
        children: [
          { path: "/admin", element: <Navigate to="/admin/dashboard" replace /> },
          {
            path: "/admin/dashboard",
            element: page(() => import("../../features/admin/dashboard/DashboardPage")),
          },
          {
            path: "/admin/contents",
            element: page(() => import("../../features/admin/contents/ContentsPage")),
          },
          {
            path: "/admin/invoices",
            element: page(() => import("../../features/admin/invoices/InvoicesPage")),
          },
          {
            path: "/admin/models",
            element: page(() => import("../../features/admin/models/ModelsPage")),
          },
          {
            path: "/admin/live",
            element: page(() => import("../../features/admin/live/AdminLivePage")),
          },
          {
            path: "/admin/mails",
            element: page(() => import("../../features/admin/mails/MailsPage")),
          },
          {
            path: "/admin/providers",
            element: page(() => import("../../features/admin/providers/ProvidersPage")),
          },
          {
            path: "/admin/users",
            element: page(() => import("../../features/admin/users/UsersPage")),
          },
          {
            path: "/admin/users/create",
            element: page(() => import("../../features/admin/users/CreateUserPage")),
          },
          {
            path: "/admin/users/:id",
            handle: checkId,
            element: page(() => import("../../features/admin/users/UserPage")),
          },
          {
            path: "/admin/companies",
            element: page(() => import("../../features/admin/companies/CompaniesPage")),
          },
          {
            path: "/admin/companies/:id",
            handle: checkId,
            element: page(() => import("../../features/admin/companies/CompanyPage")),
          },
          {
            path: "/admin/audit",
            element: page(() => import("../../features/admin/audit/AuditPage")),
          },
        ],
      },
      {
        path: "/watch/:token",
        element: page(() => import("../../features/live/WatchPage")),
      },
      {
        path: "/review/:id",
        handle: checkId,
        element: page(() => import("../../features/reviewing/ReviewPage")),
      },
      { path: "/", element: page(() => import("../../features/landing/LandingPage"), "landing") },
      { path: "/error", element: page(() => import("../layouts/ErrorRoutePage"), "visitor") },
      { path: "*", element: notFound.unknown },
    ],
  },
];

/** What is wrong with an address: its encoding, or the parameters of its route. */
function faultOf(pathname: string): Fault | undefined {
  if (decodedPath(pathname) === undefined) return "malformed";
  for (const { route, params } of matchRoutes(routes, pathname) ?? [])
    if (route.handle !== undefined) return (route.handle as Check)(params);
  return undefined;
}

/** Whether there is a page at this path. */
export const isKnownPage = (pathname: string): boolean =>
  faultOf(pathname) === undefined && matchRoutes(routes, pathname)?.at(-1)?.route.path !== "*";

/** Instead of a page whose address cannot be; visitors sign in first, as everywhere. */
const faulty = (fault: Fault): RouteObject[] => [
  { element: <Guard />, children: [{ path: "*", element: notFound[fault] }] },
];
/** What the router gets instead of an address whose encoding is broken. */
const NO_PAGE = "/no-page";

/** The page of the address. While the code of the next one loads, the present one stays. */
export function Pages() {
  const { pathname } = useLocation();
  const fault = faultOf(pathname);
  const address = decodedPath(pathname) === undefined ? NO_PAGE : undefined;
  const pages = useRoutes(fault === undefined ? routes : faulty(fault), address);
  return (
    <ErrorScreen at={pathname}>
      <Suspense fallback={<Loader m="xl" aria-label={t("page.loading")} />}>
        <KnownPages value={isKnownPage}>{pages}</KnownPages>
      </Suspense>
    </ErrorScreen>
  );
}
