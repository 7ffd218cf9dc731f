// VitePress's own theme, and a live board on the first page of each language.

import { useData, withBase } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import "./live.css";

const LiveBoard = {
	setup() {
		const { page, lang } = useData();
		return () => {
			if (!/^(zh-CN\/)?index\.md$/.test(page.value.relativePath)) return null;
			const chinese = lang.value === "zh-CN";
			const source = withBase("/live/");
			const words = chinese
				? ["固件就在此页面中运行，在浏览器自己的引擎上而不是 XS，也没有任何网络连接。", "整页打开"]
				: ["The firmware runs in this page, on the browser's own engine instead of XS, and reaches no network.", "Open it as a page"];
			return h("figure", { class: "live-board" }, [
				h("iframe", { src: source, title: chinese ? "运行中的开发板" : "A live board", loading: "lazy" }),
				h("figcaption", [`${words[0]} `, h("a", { href: source, target: "_self" }, words[1])]),
			]);
		};
	},
};

export default { extends: DefaultTheme, Layout: () => h(DefaultTheme.Layout, null, { "doc-before": () => h(LiveBoard) }) };
